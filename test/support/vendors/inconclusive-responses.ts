import {
  neverReply,
  replyEndlessly,
  replyGzipBomb,
  replyLoginPage,
  replyRedirect,
  replyServerError,
  replySlowly,
  replyThrottled,
  type VendorBehaviour,
} from './vendor-responses.js';

type InconclusiveResponse = [vendor: string, behaviour: VendorBehaviour, message: RegExp, httpStatus?: number];

/**
 * These responses do not reveal whether a credential is valid. The definition of the vendor sets a timeout of 5
 * seconds.
 */
export function inconclusiveResponses(otherHost: string): InconclusiveResponse[] {
  return [
    ['is down', replyServerError(500), /temporarily unavailable/, 500],
    ['is behind a proxy that returns 502', replyServerError(502), /temporarily unavailable/, 502],
    ['returns 408', replyServerError(408), /temporarily unavailable/, 408],
    ['is rate-limited', replyThrottled(7), /is rate limiting/, 429],
    ['returns a sign-in page', replyLoginPage(), /HTML page, such as a sign-in page.* Check the base URL/, 200],
    ['redirects to another host', replyRedirect(`${otherHost}/me`), /redirected the test to another host/, 200],
    ['redirects to a disallowed address', replyRedirect('http://169.254.169.254/'), /be reached/],
    ['hangs up', (_, response) => response.destroy(), /cannot be reached/],
    ['does not respond', neverReply(), /did not respond in time/],
    ['sends one byte per second', replySlowly(), /did not respond in time/],
    ['sends 10 GiB', replyEndlessly(), /exceeds the size limit/],
    ['sends 10 MiB that unpack to 10 GiB', replyGzipBomb(), /exceeds the size limit/],
  ];
}
