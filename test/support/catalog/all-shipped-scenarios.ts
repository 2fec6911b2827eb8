import { ACCOUNT_HEADER_SCENARIOS } from './shipped-account-headers.js';
import { ANALYTICS_SCENARIOS } from './shipped-analytics.js';
import { BUSINESS_SCENARIOS } from './shipped-business.js';
import { COLLABORATION_SCENARIOS } from './shipped-collaboration.js';
import { COMMERCE_SCENARIOS } from './shipped-commerce.js';
import { COMMUNITY_SCENARIOS } from './shipped-community.js';
import { CUSTOMER_RELATION_SCENARIOS } from './shipped-customer-relations.js';
import { CUSTOMER_SCENARIOS } from './shipped-customers.js';
import { DEVELOPER_TOOL_SCENARIOS } from './shipped-developer-tools.js';
import { FILE_SCENARIOS } from './shipped-files.js';
import { FINANCE_SCENARIOS } from './shipped-finance.js';
import { INSIGHT_SCENARIOS } from './shipped-insight.js';
import { OPERATION_SCENARIOS } from './shipped-operations.js';
import { PEOPLE_SCENARIOS } from './shipped-people.js';
import { PLATFORM_SCENARIOS } from './shipped-platforms.js';
import { RECRUITING_SCENARIOS } from './shipped-recruiting.js';
import { REVENUE_SCENARIOS } from './shipped-revenue.js';
import type { Scenarios } from './shipped-scenario.js';
import { SERVICE_DESK_SCENARIOS } from './shipped-service-desk.js';
import { SUITE_SCENARIOS } from './shipped-suites.js';
import { SURVEY_SCENARIOS } from './shipped-surveys.js';
import { TEAM_SCENARIOS } from './shipped-teams.js';
import { WORKPLACE_SCENARIOS } from './shipped-workplace.js';

/** The keys have the form `vendor/connector/strategy`. */
export const SHIPPED_SCENARIOS: Scenarios = {
  ...SUITE_SCENARIOS,
  ...WORKPLACE_SCENARIOS,
  ...DEVELOPER_TOOL_SCENARIOS,
  ...BUSINESS_SCENARIOS,
  ...CUSTOMER_SCENARIOS,
  ...TEAM_SCENARIOS,
  ...COMMERCE_SCENARIOS,
  ...RECRUITING_SCENARIOS,
  ...ANALYTICS_SCENARIOS,
  ...FILE_SCENARIOS,
  ...PEOPLE_SCENARIOS,
  ...REVENUE_SCENARIOS,
  ...COLLABORATION_SCENARIOS,
  ...CUSTOMER_RELATION_SCENARIOS,
  ...SURVEY_SCENARIOS,
  ...OPERATION_SCENARIOS,
  ...INSIGHT_SCENARIOS,
  ...COMMUNITY_SCENARIOS,
  ...PLATFORM_SCENARIOS,
  ...FINANCE_SCENARIOS,
  ...SERVICE_DESK_SCENARIOS,
  ...ACCOUNT_HEADER_SCENARIOS,
};
