import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/**
 * PostGraphile on the catalog of the database named in DATABASE_URL, with as many connections as the service has.
 * Collections are plain lists, as in the service.
 */
const preset = {
  extends: [PostGraphileAmberPreset],
  disablePlugins: ['PgIndexBehaviorsPlugin'], // otherwise lists cannot be ordered by columns without an index
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
