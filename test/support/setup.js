import 'reflect-metadata';
import './builtin-modules.js';
