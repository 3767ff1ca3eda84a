"""What a run found: figures (SVG) and pages (HTML) that open offline, and the fields of ``--json``."""
