-- Renames only
ALTER TABLE "AuditRow" RENAME COLUMN "referenceId" TO "requestId";
ALTER TABLE "Event" RENAME COLUMN "referenceId" TO "requestId";
DROP INDEX "Event_referenceId_id_idx";
CREATE INDEX "Event_requestId_id_idx" ON "Event"("requestId", "id");
