/** Every way in which a model can fail, by the name of its case. */
export const MODEL_FAILURES: Record<string, object> = {
  'a wrong key': { type: 'auth_error', message: 'bad key' },
  'a forbidden request': { type: 'forbidden' },
  'an unknown model': { type: 'model_not_found' },
  'no credits': { type: 'out_of_credits' },
  'a rate limit': { type: 'rate_limit', retry_after: 1 },
  'too long a context': { type: 'context_length' },
  'a server error': { type: 'server_error' },
  'an overloaded server': { type: 'overloaded' },
  'a reset connection': { type: 'connection_reset' },
  'a stream that is reset': { type: 'connection_reset', partial_text: 'half' },
  'a refused connection': { type: 'connection_refused' },
  'a timeout': { type: 'connection_timeout', after_ms: 100 },
  'a stalled stream': { type: 'stall', after_ms: 300, partial_text: 'half' },
  'half an answer': { type: 'partial_response', partial_text: 'half' },
  'an answer that is not JSON': { type: 'malformed_json', raw: '{"oops' },
  'an HTML page': { type: 'html_response' },
};
