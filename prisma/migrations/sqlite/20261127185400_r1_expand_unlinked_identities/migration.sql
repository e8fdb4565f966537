-- CreateTable
CREATE TABLE "UnlinkedIdentity" (
    "scheme" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "externalSubject" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "unlinkedAt" DATETIME NOT NULL,

    PRIMARY KEY ("subject", "scheme", "issuer", "externalSubject"),
    CONSTRAINT "UnlinkedIdentity_subject_fkey" FOREIGN KEY ("subject") REFERENCES "User" ("subject") ON DELETE CASCADE ON UPDATE CASCADE
);

