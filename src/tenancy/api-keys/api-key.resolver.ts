import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import { Access } from '../access.js';
import type { WorkspaceContext } from '../workspace-context.js';
import { ApiKeyInput, ApiKeyResult } from './api-key.inputs.js';
import { ApiKey } from './api-key.js';
import { createApiKey, revokeApiKey } from './write-api-key.js';

const ApiKeyPage = createPageType(ApiKey, 'ApiKeyPage');

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Access('api_keys:write')
  @Query(() => ApiKeyPage, { description: 'API keys of the workspace, newest first, including revoked keys.' })
  apiKeys(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<PageOf<ApiKey>> {
    return readPage(read, ApiKey, page, list);
  }

  @Access('api_keys:write')
  @Mutation(() => ApiKeyResult, {
    description:
      'Creates an API key. FORBIDDEN if the key would have permissions that the caller lacks. BAD_REQUEST for an unknown permission, or if `expiresAt` is not in the future.',
  })
  async createApiKey(@Arg('input') input: ApiKeyInput, @Ctx() { read, write }: WorkspaceContext): Promise<object> {
    const { key, id } = await write((tx) => createApiKey(tx, input));
    return { key, apiKey: await read.byId(ApiKey, id) };
  }

  @Access('api_keys:write')
  @Mutation(() => Boolean, { description: 'Revokes an API key immediately. NOT_FOUND if the API key does not exist.' })
  async revokeApiKey(
    @Arg('id', () => Base62Id, { description: 'Id of the API key.' }) id: string,
    @Ctx() { write }: WorkspaceContext,
  ): Promise<boolean> {
    await write((tx) => revokeApiKey(tx, id));
    return true;
  }
}
