// Nothing on the pages needs this file: it puts in the browser's zone when the address names
// none, and saves a press on "Show times" after a zone was picked with a pointer.
"use strict";

const form = document.querySelector("form[data-zone]");

if (form) {
  const select = form.elements.namedItem("zone");
  const hint = document.getElementById("zone-hint");
  const offered = (name) => [...select.options].some((option) => option.value === name);

  if (form.hasAttribute("data-guess")) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const here = new URL(location.href);
    // Once only: an address that names a zone, even an unknown one, is left as it is.
    if (own && own !== select.value && offered(own) && !here.searchParams.has("zone")) {
      here.searchParams.set("zone", own);
      location.replace(here);
    }
  }

  // A keyboard walks through the list and changes the value at every step, so only a pointer's
  // choice is taken as made; the button is there for everybody.
  let pointer = false;
  select.addEventListener("pointerdown", () => { pointer = true; });
  select.addEventListener("keydown", () => { pointer = false; });
  select.addEventListener("change", () => {
    if (pointer) form.requestSubmit();
  });
  if (hint) {
    hint.hidden = false;
    select.setAttribute("aria-describedby", hint.id);
  }
}
