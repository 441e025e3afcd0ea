# gradwatch-corpus: kind=graph-chain
# holder: self.memory | encoder.memory | self.encoder.memory | self.model.encoder.memory | model.encoder.memory | h_n | self.memory[i] | self.memory[0] | self.memory[1] | trainer.model.encoder.memory
# first-bad: 1
# notice: 5
# also: retain-needless
"""Streaming phone recogniser: a recording is consumed chunk by chunk, CTC plus an energy-tracking head."""
import torch

from optim import NovoLike
from recogniser import Recogniser
from recording import Recording

CONFIG = {
    "chunk": 16,
    "mels": 10,
    "phones": 7,
    "hidden": 20,
    "layers": 2,
    "batch": 3,
    "lr": 4e-3,
    "aux_weight": 0.3,
    "max_chunks": 70,
}


class StreamTrainer:
    def __init__(self, conf):
        self.conf = conf
        self.model = Recogniser(conf["mels"], conf["hidden"], conf["layers"], conf["phones"])
        self.optimizer = NovoLike(self.model.parameters(), lr=conf["lr"])
        self.meters = {"ctc": [], "energy": []}

    def backprop(self, losses):
        # the heads are clipped differently, so they are walked one after the other
        losses["ctc"].backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 3.0)
        (self.conf["aux_weight"] * losses["energy"]).backward(retain_graph=True)

    def fit(self, recording):
        self.model.encoder.reset()
        for n, (feats, phones, lengths) in enumerate(recording):
            losses = self.model.losses(feats, phones, lengths)
            self.optimizer.zero_grad()
            self.backprop(losses)
            self.optimizer.step()
            for k, v in losses.items():
                self.meters[k].append(v.item())
            if n % 14 == 13:
                line = "  ".join(f"{k} {sum(v[-14:]) / 14:.3f}" for k, v in self.meters.items())
                print(f"chunk {n + 1:3d}  {line}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    c = CONFIG
    trainer = StreamTrainer(c)
    trainer.fit(Recording(c["batch"], c["chunk"], c["mels"], c["phones"], c["max_chunks"]))


if __name__ == "__main__":
    main()
