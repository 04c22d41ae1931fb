"""What a person sees, as state: models, threads, the open item, the current run. QtCore and QtGui only."""
