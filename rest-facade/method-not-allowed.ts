import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { FacadeError } from './errors.js';

/** After the router: an address that it knows by another method is a 405 that names those, not a 404. */
export function rejectOtherMethods(router: Router): Middleware {
  return async (ctx, next) => {
    const known = router.match(ctx.path, ctx.method).path.flatMap(({ methods }) => methods);
    if (known.length === 0) return next();
    const allowed = [...new Set(known)].sort().join(', ');
    ctx.set('Allow', allowed);
    throw new FacadeError('METHOD_NOT_ALLOWED', `This address answers ${allowed}.`);
  };
}
