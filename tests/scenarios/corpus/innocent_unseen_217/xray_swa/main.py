# gradwatch-corpus: kind=none
import torch

from averaging import build_averager
from callbacks import BestKeeper, CallbackList, WindowLogger
from films import ChestFilms
from module import XRayModule
from trainer import Trainer

CFG = {"seed": 17, "epochs": 4, "iters": 25, "averager": {"name": "ema", "decay": 0.95}, "window": 15}


def main():
    torch.manual_seed(CFG["seed"])
    module = XRayModule(findings=5)
    avg = build_averager(module, **CFG["averager"])
    keeper = BestKeeper()
    trainer = Trainer(module, avg, CallbackList([WindowLogger(CFG["window"]), keeper]))
    trainer.fit(ChestFilms(5, 24), CFG["epochs"], CFG["iters"])
    module.load_state_dict(keeper.state)
    print("best epoch", keeper.epoch, "score", round(keeper.score, 3))


if __name__ == "__main__":
    main()
