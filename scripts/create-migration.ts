import 'reflect-metadata';
import { createOrm } from '../src/orm.js';

const [, , name] = process.argv;
const orm = createOrm(process.env.DATABASE_URL as string);
const { fileName, diff } = await orm.migrator.create(undefined, false, false, name);
console.log(fileName || 'the entities and the migrations agree', diff.up.length);
await orm.close();
