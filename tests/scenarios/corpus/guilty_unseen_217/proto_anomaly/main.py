# gradwatch-corpus: kind=second-backward
# holder: self.centers | obj.centers | self.objective.centers
# first-bad: 16
import torch

from machines import VibrationFeed
from model import VibrationEncoder, Decoder
from objective import build_objective
from runner import Runner

CFG = {
    "seed": 2,
    "steps": 120,
    "feed": {"regimes": 4, "length": 48, "batch": 32},
    "latent": 8,
    "objective": {"name": "recon_compact", "momentum": 0.9, "weight": 0.2, "warmup": 15},
}


def main():
    torch.manual_seed(CFG["seed"])
    feed = VibrationFeed(**CFG["feed"])
    enc, dec = VibrationEncoder(48, CFG["latent"]), Decoder(CFG["latent"], 48)
    obj = build_objective(CFG["objective"], regimes=4, latent=CFG["latent"])
    Runner(enc, dec, obj).run(feed, CFG["steps"])


if __name__ == "__main__":
    main()
