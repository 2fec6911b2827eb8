import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { FacadeError } from './errors.js';

/** Must run after the router. Throws METHOD_NOT_ALLOWED if the router knows the URL with other methods. */
export function rejectOtherMethods(router: Router): Middleware {
  return async (ctx, next) => {
    const known = router.match(ctx.path, ctx.method).path.flatMap(({ methods }) => methods);
    if (known.length === 0) return next();
    const allowed = [...new Set(known)].sort().join(', ');
    ctx.set('Allow', allowed);
    throw new FacadeError('METHOD_NOT_ALLOWED', `This URL supports only ${allowed}.`);
  };
}
