# gradwatch-corpus: kind=none
# about: gradient penalty with create_graph, four critic steps per generator step; everything dies within the step
import argparse

from . import Session

ap = argparse.ArgumentParser(description="WGAN-GP for a table of mixed columns")
ap.add_argument("--critic-steps", type=int, default=4)
ap.add_argument("--gen-steps", type=int, default=90)
ap.add_argument("--gp", type=float, default=6.0)
Session(**vars(ap.parse_args())).run()
