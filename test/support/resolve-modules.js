import { isBuiltin, registerHooks } from 'node:module';

const COMPILED = new URL('../../', import.meta.url).href;

/**
 * Resolves Node's own modules and imports within `dist` without Vitest, whose hook sends each resolution to its main
 * process. Apollo Server requires `crypto` for each request, which would take 5 % of the CPU time of a request.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (isBuiltin(specifier)) {
      const url = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
      return { url, format: 'builtin', shortCircuit: true };
    }
    const { parentURL = '' } = context;
    if (!/^\.\.?\/.*\.js$/.test(specifier) || !parentURL.startsWith(COMPILED)) return nextResolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
  },
});
