import { isBuiltin, registerHooks } from 'node:module';

/**
 * Resolves the modules of Node without the hook of Vitest, which sends each resolution to its main process. Apollo
 * Server requires `crypto` for each request, so the hook would take 5 % of the CPU time of a request.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!isBuiltin(specifier)) return nextResolve(specifier, context);
    const url = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
    return { url, format: 'builtin', shortCircuit: true };
  },
});
