import type { VendorCallRecord } from '../servers/any-host-server.js';
import {
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  type Respond,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import { timeOf } from './simulated-tap-records.js';

/**
 * As on GitHub, links between pages contain the id of the repository instead of its owner and name. All pages except
 * the last one have a link with `rel="last"`.
 */
const github: Respond = (call, data) => {
  const page = numberOf(call, 'page', 1);
  const { records, next, total } = pageAt(data, (page - 1) * PAGE_SIZE);
  const forward =
    next === undefined ? [] : [pageLink(call, page + 1, 'next'), pageLink(call, Math.ceil(total / PAGE_SIZE), 'last')];
  const back = page > 1 ? [pageLink(call, page - 1, 'prev'), pageLink(call, 1, 'first')] : [];
  return ok(records, forward.length + back.length > 0 ? { link: [...back, ...forward].join(', ') } : undefined);
};

function pageLink(call: VendorCallRecord, page: number, relation: string): string {
  const { href } = linkOf(call, { page });
  return `<${href.replace(/\/repos\/[^/]+\/[^/]+/, '/repositories/1300192')}>; rel="${relation}"`;
}

/** Comments have the URL of their issue, but not its number. */
const githubComments: Respond = (call, data) =>
  github(call, { ...data, records: data.records.map(({ issue_number: _, ...comment }) => comment) });

const githubRuns: Respond = (call, data) => {
  const { body, ...reply } = github(call, data);
  return { ...reply, body: { total_count: data.records.length, workflow_runs: body } };
};

/** Requests address a repository by its owner and name. Links between pages address it by its id. */
function repositoryLists(lists: Readonly<Record<string, Respond>>): Record<string, Respond> {
  const addressed = Object.entries(lists).flatMap(([path, respond]) => [
    [`GET /repos/*/*/${path}`, respond] as const,
    [`GET /repositories/*/${path}`, respond] as const,
  ]);
  return Object.fromEntries(addressed);
}

export const GITHUB_DIALECT: VendorDialect = {
  bases: ['https://api.github.com'],
  pages: {
    'GET /user/orgs': github,
    'GET /orgs/*/members': github,
    'GET /orgs/*/repos': github,
    'GET /orgs/*/teams': github,
    'GET /orgs/*/teams/*/members': github,
    ...repositoryLists({
      issues: withParameters({ state: 'all' }, github),
      'issues/comments': githubComments,
      pulls: withParameters({ state: 'all', sort: 'updated', direction: 'desc' }, github),
      'pulls/*/reviews': github,
      'pulls/comments': withParameters({ sort: 'updated' }, github),
      commits: github,
      branches: github,
      releases: github,
      'actions/runs': githubRuns,
      deployments: github,
      milestones: withParameters({ state: 'all' }, github),
      labels: github,
    }),
  },
  values: {
    full_name: (nth) => `acme/repository-${nth}`,
    repository_full_name: (nth) => `acme/repository-${nth}`,
    issue_number: (nth) => nth,
    issue_url: (nth) => `https://api.github.com/repos/acme/repository-0/issues/${nth}`,
    'commit.committer.date': (nth) => timeOf(nth).toISOString(),
  },
};
