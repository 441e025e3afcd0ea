SETTINGS = {
    "seed": 31, "days": 14, "noise": 6, "hidden": 24,
    "batch": 16, "critic_steps": 3, "rounds": 140,
    "gp_weight": 10.0, "lr": 5e-4,
}
