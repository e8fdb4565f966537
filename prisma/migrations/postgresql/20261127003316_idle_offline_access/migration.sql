-- Enabled clients that list offline_access and may not refresh, so that "Needs attention" names them. Their terms by
-- scope are "offline_access <sort key>".
INSERT INTO "SearchTerm" ("kind", "term", "id")
SELECT 'client-by-switch', 'idle_' || t."term", t."id"
FROM "SearchTerm" t JOIN "Client" c ON c."clientId" = t."id"
WHERE t."kind" = 'client-by-scope' AND t."term" >= 'offline_access ' AND t."term" < 'offline_access!' AND c."enabled"
  -- Read as a text, because PostgreSQL refuses to decode a document with the escape of U+0000
  AND c."metadata" !~ '"grant_types":\[[^]]*"refresh_token"'
ON CONFLICT DO NOTHING;
