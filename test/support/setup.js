import 'reflect-metadata';
import './resolve-modules.js';
