-- Enabled clients that list offline_access and may not refresh, so that "Needs attention" names them. Their terms by
-- scope are "offline_access <sort key>".
INSERT INTO "SearchTerm" ("kind", "term", "id")
SELECT 'client-by-switch', 'idle_' || t."term", t."id"
FROM "SearchTerm" t JOIN "Client" c ON c."clientId" = t."id"
WHERE t."kind" = 'client-by-scope' AND t."term" >= 'offline_access ' AND t."term" < 'offline_access!' AND c."enabled"
  AND NOT EXISTS (
    SELECT 1 FROM json_array_elements_text(c."metadata"::json -> 'grant_types') AS granted WHERE granted = 'refresh_token'
  )
ON CONFLICT DO NOTHING;
