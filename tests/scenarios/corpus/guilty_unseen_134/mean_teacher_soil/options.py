import argparse


def parse(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=19)
    p.add_argument("--bands", type=int, default=16)
    p.add_argument("--soils", type=int, default=4)
    p.add_argument("--steps", type=int, default=260)
    p.add_argument("--labelled", type=int, default=6)
    p.add_argument("--unlabelled", type=int, default=18)
    p.add_argument("--ema", type=float, default=0.97)
    p.add_argument("--consistency", type=float, default=1.0)
    p.add_argument("--ramp", type=int, default=80)
    return p.parse_args(argv)
