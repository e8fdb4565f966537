-- Renames only
ALTER TABLE "AuditRow" RENAME COLUMN "referenceId" TO "requestId";
ALTER TABLE "Event" RENAME COLUMN "referenceId" TO "requestId";
ALTER INDEX "Event_referenceId_id_idx" RENAME TO "Event_requestId_id_idx";
