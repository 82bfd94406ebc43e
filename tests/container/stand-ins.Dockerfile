# Stand-ins for the images postgres and haproxy of deploy/compose.fleet.yaml,
# made of Debian's packages, so that no registry is needed. They read the same
# settings from the same places as the images that they stand for.

FROM debian:bookworm-slim AS postgres
RUN apt-get update \
 && apt-get install -y --no-install-recommends postgresql-15 \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15 \
 && install -d -o postgres -g postgres -m 700 /var/lib/postgresql/data
COPY postgres-entry.sh /usr/local/bin/postgres-entry.sh
ENV PGDATA=/var/lib/postgresql/data \
    PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
USER postgres
STOPSIGNAL SIGINT
ENTRYPOINT ["sh", "/usr/local/bin/postgres-entry.sh"]
CMD ["postgres"]

FROM debian:bookworm-slim AS haproxy
RUN apt-get update \
 && apt-get install -y --no-install-recommends haproxy \
 && rm -rf /var/lib/apt/lists/*
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
