# linalgd in a container: docker build -t linalgd .
#
# The last stage carries PoCL, so it runs on any machine and on NVIDIA GPUs that
# the host passes in; --target gpu leaves PoCL (and its compiler, 600 MB) out.
# It listens on all of the container's addresses, and therefore does not start
# without a token, unless whoever runs it says --insecure:
#
#     docker run -p 8080:8080 -e LINALGD_TOKEN=... linalgd
#     docker run -p 127.0.0.1:8080:8080 linalgd --insecure
#
# LINALGD_TOKEN_FILE names a mounted secret; deploy/compose.yaml makes a token.
#
# /usr/share/doc/linalgd/sbom.spdx.json names every package of the image.

FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      g++ gcc libc6-dev libcurl4-openssl-dev libinih-dev libjansson-dev \
      libmicrohttpd-dev libpq-dev libsqlite3-dev libzip-dev libzstd-dev make nettle-dev \
      ocl-icd-opencl-dev zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
ARG CFLAGS=-O2
RUN export CFLAGS CXXFLAGS="$CFLAGS" && make -j"$(nproc)" && make install-programs DESTDIR=/image && strip /image/usr/local/bin/*

FROM debian:bookworm-slim AS gpu
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      curl libcurl4 libinih1 libjansson4 liblapacke libmicrohttpd12 libnettle8 \
      libopenblas0-pthread libpq5 libsqlite3-0 libstdc++6 libzip4 libzstd1 ocl-icd-libopencl1 zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin linalgd \
 && mkdir -p /etc/OpenCL/vendors /var/cache/linalgd /var/lib/linalgd \
    /var/lib/linalgd-shared \
 && echo libnvidia-opencl.so.1 >/etc/OpenCL/vendors/nvidia.icd \
 && chown linalgd: /var/cache/linalgd /var/lib/linalgd /var/lib/linalgd-shared
COPY --from=build /image/usr/local/bin/ /usr/local/bin/
COPY deploy/sbom.sh /usr/local/share/linalgd/sbom.sh
RUN mkdir -p /usr/share/doc/linalgd \
 && sh /usr/local/share/linalgd/sbom.sh >/usr/share/doc/linalgd/sbom.spdx.json
ENV LINALGD_LISTEN=0.0.0.0:8080 \
    LINALGD_CACHE=/var/cache/linalgd \
    LINALGD_STATE=/var/lib/linalgd \
    LINALGD_DRAIN_DELAY=5 \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=120s --retries=3 \
  CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["linalgd", "serve"]

# PoCL links each kernel by clang at run time; nothing else is needed.
FROM gpu AS any
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends pocl-opencl-icd \
 && rm -rf /var/lib/apt/lists/* \
 && sh /usr/local/share/linalgd/sbom.sh >/usr/share/doc/linalgd/sbom.spdx.json
USER 10001:10001
