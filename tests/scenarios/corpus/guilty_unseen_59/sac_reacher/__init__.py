"""A compact soft actor-critic for a point reacher.  Run: python -m sac_reacher"""
