import {
  jsonOf,
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import { timeOf } from '../simulated-tap-records.js';

function ashby(required: Readonly<Record<string, unknown>> = {}): Respond {
  return (call, data) => {
    const { cursor: sent, limit, ...body } = jsonOf(call);
    if (limit !== undefined && Number(limit) > 100) throw new RejectedRequest('The limit is too large.');
    const missing = Object.entries(required).find(([name, value]) => body[name] !== value);
    if (missing) throw new RejectedRequest(`The request needs ${missing.join('=')}.`);
    const { records, cursor } = pageAtCursor(data, sent);
    return ok({ success: true, results: records, moreDataAvailable: cursor !== undefined, nextCursor: cursor });
  };
}

/** These lists have a single page. */
function ashbyList(required: Readonly<Record<string, unknown>> = {}): Respond {
  return (call, data) => {
    const body = jsonOf(call);
    const missing = Object.entries(required).find(([name, value]) => body[name] !== value);
    if (missing) throw new RejectedRequest(`The request needs ${missing.join('=')}.`);
    return ok({ success: true, results: data.records });
  };
}

const archived = { includeArchived: true };

const lever: Respond = (call, data) => {
  if (numberOf(call, 'limit', 100) > 100) throw new RejectedRequest('The limit is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('offset'));
  return ok({ data: records, hasNext: cursor !== undefined, ...(cursor && { next: cursor }) });
};

const milliseconds = (nth: number): number => timeOf(nth).getTime();

/** A request with a cursor must have no other parameters. */
const greenhouse: Respond = (call, data) => {
  const { searchParams } = call.url;
  const cursor = searchParams.get('cursor');
  if (cursor && searchParams.size > 1) throw new RejectedRequest('A cursor excludes other parameters.');
  if (!cursor && numberOf(call, 'per_page', 100) > 500) throw new RejectedRequest('The page is too large.');
  const updated = searchParams.get('updated_at');
  if (updated && !/^gte\|\d{4}-\d\d-\d\dT[\d:]+Z$/.test(updated)) throw new RejectedRequest(`Invalid: ${updated}`);
  const offset = cursor ? Number(cursor) : 0;
  const { records, next } = pageAt(data, offset, PAGE_SIZE);
  const link = linkOf(call, {});
  link.search = `?cursor=${next}`;
  return ok([...records], next === undefined ? undefined : { link: `<${link.href}>; rel="next"` });
};

export const RECRUITING_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'ashby/rest-api': {
    bases: ['https://api.ashbyhq.com'],
    pages: {
      'POST /candidate.list': ashby(),
      'POST /application.list': ashby(),
      'POST /job.list': ashby(),
      'POST /jobPosting.list': ashby(),
      'POST /opening.list': ashby(),
      'POST /offer.list': ashby(),
      'POST /interviewSchedule.list': ashby(),
      'POST /interview.list': ashby(archived),
      'POST /interviewPlan.list': ashby(archived),
      'POST /user.list': ashby({ includeDeactivated: true }),
      'POST /department.list': ashby(archived),
      'POST /location.list': ashby(archived),
      'POST /candidateTag.list': ashby(archived),
      'POST /customField.list': ashby(archived),
    },
    lists: {
      'POST /interviewStage.list': ashbyList({ interviewPlanId: 'id-0' }),
      'POST /archiveReason.list': ashbyList(archived),
      'POST /source.list': ashbyList(archived),
    },
    unauthorized: { status: 403, body: { success: false, errors: ['The API key is not valid.'] } },
  },
  'greenhouse/harvest-api': {
    bases: ['https://harvest.greenhouse.io/v3'],
    pages: {
      'GET /candidates': greenhouse,
      'GET /applications': greenhouse,
      'GET /jobs': greenhouse,
      'GET /openings': greenhouse,
      'GET /job_interview_stages': greenhouse,
      'GET /interviews': greenhouse,
      'GET /scorecards': greenhouse,
      'GET /offers': greenhouse,
      'GET /notes': greenhouse,
      'GET /users': greenhouse,
      'GET /departments': greenhouse,
      'GET /sources': greenhouse,
      'GET /rejection_reasons': greenhouse,
      'GET /close_reasons': greenhouse,
      'GET /custom_fields': greenhouse,
    },
  },
  'lever/rest-api': {
    bases: ['https://api.lever.co/v1'],
    pages: {
      'GET /opportunities': lever,
      'GET /opportunities/*/applications': lever,
      'GET /opportunities/*/interviews': lever,
      'GET /opportunities/*/notes': lever,
      'GET /opportunities/*/offers': lever,
      'GET /opportunities/*/referrals': lever,
      'GET /postings': lever,
      'GET /requisitions': lever,
      'GET /users': withParameters({ includeDeactivated: 'true' }, lever),
      'GET /stages': lever,
      'GET /archive_reasons': lever,
      'GET /sources': lever,
    },
    values: { updatedAt: milliseconds },
  },
};
