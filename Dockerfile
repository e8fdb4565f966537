# Builds an image that contains what `npm run package` writes, and nothing else: docs/container.md
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
ARG SOURCE_DATE_EPOCH=0
RUN apt-get update && npm run package -- /package

FROM scratch
COPY --from=build /package /
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
USER 65532:65532
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/bin/node", "/app/lib/server/latchkey.mjs", "health"]
ENTRYPOINT ["/usr/bin/node", "/app/lib/server/latchkey.mjs"]
CMD ["start"]
