import 'reflect-metadata';
import { createOrm } from '../src/database/orm.js';

const [, , name] = process.argv;
const orm = createOrm(process.env.DATABASE_URL as string);
const { fileName, diff } = await orm.migrator.create(undefined, false, false, name);
console.log(fileName ? `${fileName}: ${diff.up.length} statements` : 'The migrations match the entities.');
await orm.close();
