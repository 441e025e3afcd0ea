# gradwatch-corpus: kind=graph-chain
# holder: self.base_rate | model.calib.base_rate | self.calib.base_rate
# first-bad: 1
import argparse

import torch

from config import CTRConfig
from data import ImpressionStream
from engine import Engine, LogLossHook, StepLRHook
from model import build_model


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--tower", default="deepfm", choices=["deepfm", "wide"])
    return ap.parse_args()


def main():
    args = parse()
    cfg = CTRConfig(steps=args.steps, tower=args.tower)
    torch.manual_seed(cfg.seed)
    model = build_model(cfg)
    opt = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    engine = Engine(model, opt, [LogLossHook(every=50), StepLRHook(opt, every=60)])
    engine.fit(ImpressionStream(cfg), cfg.steps)


if __name__ == "__main__":
    main()
