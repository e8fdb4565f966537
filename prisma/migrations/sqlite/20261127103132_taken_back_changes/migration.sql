-- AlterTable
ALTER TABLE "RecoveryCode" ADD COLUMN "createdAt" DATETIME;

-- CreateTable
CREATE TABLE "TakenBackChange" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "subject" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "takenBackAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "TakenBackChange_subject_idx" ON "TakenBackChange"("subject");

-- CreateIndex
CREATE INDEX "TakenBackChange_takenBackAt_idx" ON "TakenBackChange"("takenBackAt");

-- CreateIndex
CREATE INDEX "TakenBackChange_expiresAt_idx" ON "TakenBackChange"("expiresAt");
