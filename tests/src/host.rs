//! Hosts with a schedule and a published page.

use serde_json::json;
use shared::{
    instant::{Instant, Span},
    locale::Locale,
    ops::{self, Context, NewHost, NewPage},
    seal::Place,
};
use sqlx::Connection as _;
use uuid::Uuid;

/// A host in the making. The defaults: UTC, every day 9 to 17, one page of an hour with a step of
/// an hour, no buffers, no notice, a horizon of 60 days, confirmed at once.
pub struct HostBuilder<'a> {
    context: &'a Context,
    handle: String,
    name: String,
    email: String,
    zone: String,
    locale: Locale,
    availability: String,
    title: String,
    description: String,
    duration_min: u16,
    settings: Vec<(&'static str, String)>,
    questions: Vec<(String, &'static str, bool, Vec<String>)>,
}

/// A host that was made.
#[derive(Clone, Debug)]
pub struct TestHost {
    pub id: Uuid,
    pub event_type: Uuid,
    pub handle: String,
    /// `/book/<handle>/<code>`
    pub page: String,
    /// `/v1/pages/<handle>/<code>`
    pub api: String,
    /// The ids of the questions, in order.
    pub questions: Vec<Uuid>,
}

impl<'a> HostBuilder<'a> {
    /// A host with that handle.
    pub fn new(context: &'a Context, handle: &str) -> Self {
        let settings = [
            ("step_min", "60"),
            ("before_buffer_min", "0"),
            ("after_buffer_min", "0"),
            ("notice_min", "0"),
            ("horizon_days", "60"),
            ("confirmation", "'instant'"),
        ];
        Self {
            context,
            handle: handle.to_owned(),
            name: format!("Host {handle}"),
            email: format!("{handle}@hosts.test"),
            zone: "UTC".into(),
            locale: Locale::En,
            availability: "every day 9:00-17:00".into(),
            title: "Introduction".into(),
            description: "An hour to get to know each other.".into(),
            duration_min: 60,
            settings: settings
                .into_iter()
                .map(|(name, value)| (name, value.to_owned()))
                .collect(),
            questions: Vec::new(),
        }
    }

    /// The host's zone.
    pub fn zone(mut self, zone: &str) -> Self {
        self.zone = zone.into();
        self
    }

    /// The public name.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// The contact address; `<handle>@hosts.test` if it is not set.
    pub fn email(mut self, email: &str) -> Self {
        self.email = email.into();
        self
    }

    /// The language of the host's mail.
    pub fn locale(mut self, locale: Locale) -> Self {
        self.locale = locale;
        self
    }

    /// When the host is free, in plain words.
    pub fn free(mut self, text: &str) -> Self {
        self.availability = text.into();
        self
    }

    /// The page's title and description.
    pub fn titled(mut self, title: &str, description: &str) -> Self {
        self.title = title.into();
        self.description = description.into();
        self
    }

    /// The meeting's length and the distance of starts.
    pub fn minutes(mut self, duration: u16, step: u16) -> Self {
        self.duration_min = duration;
        self.set("step_min", step.to_string())
    }

    /// Buffers before and after, in minutes.
    pub fn buffers(self, before: u16, after: u16) -> Self {
        self.set("before_buffer_min", before.to_string())
            .set("after_buffer_min", after.to_string())
    }

    /// Bookings are held until they are confirmed from the mailbox.
    pub fn by_mail(self) -> Self {
        self.set("confirmation", "'email_link'".into())
    }

    /// Guests are allowed.
    pub fn guests(self) -> Self {
        self.set("allow_guests", "true".into())
    }

    /// A column of `event_types`, by an SQL expression.
    pub fn set(mut self, column: &'static str, sql: String) -> Self {
        self.settings.push((column, sql));
        self
    }

    /// A question of a kind.
    pub fn ask(
        mut self,
        label: &str,
        kind: &'static str,
        required: bool,
        options: &[&str],
    ) -> Self {
        self.questions.push((
            label.into(),
            kind,
            required,
            options.iter().map(|o| (*o).to_owned()).collect(),
        ));
        self
    }

    /// Makes it.
    pub async fn make(self) -> TestHost {
        let context = self.context;
        let new = NewHost {
            handle: self.handle.parse().unwrap(),
            name: self.name,
            email: self.email.parse().unwrap(),
            zone: context.zones.get_for_host(&self.zone).unwrap(),
            locale: self.locale,
            availability: self.availability,
            page: NewPage {
                code: None,
                title: self.title,
                description: self.description,
                duration_min: self.duration_min,
                horizon_days: 60,
                instant: true,
            },
        };
        let made = ops::create_host(context, &new).await.unwrap();
        let mut conn = context.pool.acquire().await.unwrap();
        let columns: Vec<String> = self
            .settings
            .iter()
            .rev()
            .fold(Vec::<(&str, &String)>::new(), |mut kept, (name, sql)| {
                if !kept.iter().any(|(held, _)| held == name) {
                    kept.push((name, sql));
                }
                kept
            })
            .into_iter()
            .map(|(name, sql)| format!("{name} = {sql}"))
            .collect();
        let sql = format!(
            "UPDATE event_types SET {} WHERE id = $1",
            columns.join(", ")
        );
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(made.event_type_id)
            .execute(&mut *conn)
            .await
            .unwrap();
        let mut questions = Vec::new();
        for (position, (label, kind, required, options)) in (0_i32..).zip(self.questions) {
            let id = shared::id::new(context.clock.now(), &context.random).unwrap();
            let seal = |column, text: &str| {
                context
                    .keys
                    .seal
                    .seal(
                        Place::new("questions", column, id),
                        text.as_bytes(),
                        &context.random,
                    )
                    .unwrap()
            };
            let options =
                (!options.is_empty()).then(|| seal("options", &json!(options).to_string()));
            sqlx::query("INSERT INTO questions (id, event_type_id, position, kind, label_sealed, required, options_sealed) VALUES ($1, $2, $3, $4, $5, $6, $7)")
                .bind(id).bind(made.event_type_id).bind(position).bind(kind).bind(seal("label", &label)).bind(required).bind(options)
                .execute(&mut *conn).await.unwrap();
            questions.push(id);
        }
        let (_, code) = made.path.rsplit_once('/').unwrap();
        TestHost {
            id: made.host_id,
            event_type: made.event_type_id,
            api: format!("/v1/pages/{}/{code}", self.handle),
            page: made.path.clone(),
            handle: self.handle,
            questions,
        }
    }
}

impl TestHost {
    /// An opaque event on the host's personal calendar.
    pub async fn busy(&self, context: &Context, from: &str, to: &str) -> Uuid {
        let mut conn = context.pool.acquire().await.unwrap();
        let mut tx = conn.begin_with("BEGIN").await.unwrap();
        let id = self
            .insert_event(
                context,
                &mut tx,
                Span {
                    from: from.parse().unwrap(),
                    to: to.parse().unwrap(),
                },
            )
            .await;
        tx.commit().await.unwrap();
        id
    }

    /// The same inside a transaction of the caller's, who takes the calendar first as everybody
    /// who writes events does.
    pub async fn insert_event(
        &self,
        context: &Context,
        conn: &mut sqlx::PgConnection,
        span: Span,
    ) -> Uuid {
        let id = shared::id::new(context.clock.now(), &context.random).unwrap();
        let title = context
            .keys
            .seal
            .seal(Place::new("events", "title", id), b"Busy", &context.random)
            .unwrap();
        let calendar: Uuid = sqlx::query_scalar(
            "SELECT id FROM calendars WHERE owner_host_id = $1 FOR NO KEY UPDATE",
        )
        .bind(self.id)
        .fetch_one(&mut *conn)
        .await
        .unwrap();
        sqlx::query("WITH bumped AS (UPDATE calendars SET revision = revision + 1 WHERE id = $2)
            INSERT INTO events (id, calendar_id, title_sealed, timing, reach) VALUES ($1, $2, $3, jsonb_build_object('start', $6::text, 'end', $7::text),
                tstzrange($4::timestamptz - interval '2 days', $5::timestamptz + interval '2 days', '[)'))")
            .bind(id).bind(calendar).bind(title).bind(span.from).bind(span.to).bind(span.from.to_string()).bind(span.to.to_string())
            .execute(conn).await.unwrap();
        id
    }

    /// An exception, `blocked` or `available`.
    pub async fn except(&self, context: &Context, kind: &str, from: &str, to: &str) {
        let span = Span {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        };
        let id = shared::id::new(context.clock.now(), &context.random).unwrap();
        let mut conn = context.pool.acquire().await.unwrap();
        sqlx::query(
            "INSERT INTO host_exceptions (id, host_id, kind, span) VALUES ($1, $2, $3, $4)",
        )
        .bind(id)
        .bind(self.id)
        .bind(kind)
        .bind(span)
        .execute(&mut *conn)
        .await
        .unwrap();
    }

    /// An override of a date: SQL of a multirange of minutes, such as `{[540,600)}`; `{}` is a day
    /// off.
    pub async fn override_date(&self, context: &Context, date: &str, ranges: &str) {
        let mut conn = context.pool.acquire().await.unwrap();
        sqlx::query("INSERT INTO schedule_overrides (schedule_id, on_date, windows) SELECT schedule_id, $2::text::date, $3::text::int4multirange FROM event_types WHERE id = $1")
            .bind(self.event_type).bind(date).bind(ranges).execute(&mut *conn).await.unwrap();
    }

    /// A path below the page's API.
    pub fn slots(&self, from: &str, to: &str, zone: &str) -> String {
        format!("{}/slots?from={from}&to={to}&zone={zone}", self.api)
    }
}

/// The starts of a slots answer, in order.
pub fn starts(answer: &serde_json::Value) -> Vec<Instant> {
    answer["days"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|day| day["slots"].as_array().unwrap())
        .map(|slot| slot["start"].as_str().unwrap().parse().unwrap())
        .collect()
}
