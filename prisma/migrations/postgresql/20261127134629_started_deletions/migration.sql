-- DropIndex
DROP INDEX "PlannedChange_dueAt_idx";

-- AlterTable
ALTER TABLE "PlannedChange" ADD COLUMN     "startedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "PlannedChange_kind_dueAt_idx" ON "PlannedChange"("kind", "dueAt");
