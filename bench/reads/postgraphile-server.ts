import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/**
 * PostGraphile has as many database connections as the service. It returns nested lists without edges, like the
 * service.
 */
const preset = {
  extends: [PostGraphileAmberPreset],
  // This plugin prevents sorting by columns without an index.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: '+list -connection' },
  grafast: { explain: false },
  grafserv: { watch: false },
  pgServices: [
    makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 10 } }),
  ],
};
const server = createServer();
await postgraphile(preset as never)
  .createServ(grafserv)
  .addTo(server);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
