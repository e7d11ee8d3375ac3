# One image for every role: `holdfast` (web, worker or all) and `holdfast-worker`. No PostgreSQL
# inside; docker-compose.yml shows the settings that it needs.

FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY .sqlx .sqlx
COPY migrations migrations
COPY shared shared
COPY worker worker
COPY server server
# A member of the workspace: cargo reads its manifest, and nothing of it is built.
COPY tests tests
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked -p holdfast-server -p holdfast-worker --bins \
    && cp target/release/holdfast target/release/holdfast-worker /usr/local/bin/

FROM debian:bookworm-slim
# The roots that a `sslrootcert` in DATABASE_URL or HOLDFAST_SMTP_CA_FILE may name.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin holdfast
COPY --from=build /usr/local/bin/holdfast /usr/local/bin/holdfast-worker /usr/local/bin/
COPY LICENSE /usr/share/doc/holdfast/LICENSE
ENV HOLDFAST_LISTEN=0.0.0.0:8080
USER 10001
EXPOSE 8080
# `admin health` gives up by itself after five seconds.
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
    CMD ["holdfast", "admin", "health"]
CMD ["holdfast"]
