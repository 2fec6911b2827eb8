import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { RequestConnector } from './request-connector.js';

const catalogRoute = getRouteApi('/w/$workspace/catalog');

const PAGE_SIZE = 100;

const catalogQuery = graphql(`
  query Catalog($search: String, $limit: Int!) {
    platformVendors(search: $search, limit: $limit) {
      total
      items {
        id
        slug
        name
        logo
        description
        connectorsTotal
      }
    }
  }
`);

export function CatalogScreen() {
  const { search } = catalogRoute.useSearch();
  const { workspace } = catalogRoute.useParams();
  const navigate = catalogRoute.useNavigate();
  const [result, reload] = useQuery({ query: catalogQuery, variables: { search: search ?? null, limit: PAGE_SIZE } });
  return (
    <Page
      title="Catalog"
      lead="Vendors that this service reads from. Choose a vendor to see its connectors and taps."
      actions={<RequestConnector name={search} />}
    >
      <SearchField
        label="Search vendors"
        value={search ?? ''}
        onChange={(text) => navigate({ search: text ? { search: text } : {}, replace: true })}
      />
      <QueryView result={result} onRetry={reload}>
        {({ platformVendors: { items, total } }) =>
          items.length === 0 ? (
            <EmptyState title={`No vendor matches “${search}”`} action={<RequestConnector name={search} />}>
              You can request a connector. The operators of this service see your request.
            </EmptyState>
          ) : (
            <>
              <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {items.map(({ id, slug, name, logo, description, connectorsTotal }) => (
                  <li key={id}>
                    <Link
                      to="/w/$workspace/catalog/$vendor"
                      params={{ workspace, vendor: slug }}
                      className="flex h-full gap-3 rounded-xl border border-line bg-surface p-4 hover:border-accent"
                    >
                      <VendorMark vendor={{ name, logo }} />
                      <span className="min-w-0">
                        <span className="block font-medium">{name}</span>
                        <span className="mt-0.5 line-clamp-2 text-sm text-muted">{description}</span>
                        <span className="mt-2 block text-xs text-muted">
                          {countOf(connectorsTotal ?? 0, 'connector')}
                        </span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              {total > items.length && (
                <p className="mt-4 text-sm text-muted">
                  {items.length} of {total} vendors. Search to find the others.
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
