S = {
    "seed": 19,
    "pool": 120,
    "dim": 12,
    "embed": 8,
    "queue": 64,
    "momentum": 0.97,
    "tau": 0.15,
    "lr": 0.03,
    "batch": 8,
    "steps": 600,
    "report": 150,
}
