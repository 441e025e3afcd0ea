# gradwatch-corpus: kind=graph-held
# holder: self.scores | self.ctc_metrics.scores | asr.ctc_metrics.scores | asr_brain.ctc_metrics.scores | brain.ctc_metrics.scores
# first-bad: 1
"""Recipe: CTC digit-string recogniser on synthetic filterbanks.

To run it: python main.py
"""
import functools

import torch
from torch import nn
import torch.nn.functional as F

from brain import Brain, Stage
from data import SyntheticDigits
from metrics import MetricStats, TokenErrorRate

hparams = {
    "seed": 1986,
    "number_of_epochs": 1,
    "train_batches": 400,
    "batch_size": 6,
    "n_mels": 24,
    "digits": 4,
    "frames_per_digit": 6,
    "neurons": 48,
    "lr": 2e-3,
    "max_grad_norm": 5.0,
}


def ctc_per_utterance(log_probs, tokens):
    """Unreduced CTC cost, normalised by the transcript's length."""
    n, t, _ = log_probs.shape
    cost = F.ctc_loss(log_probs.transpose(0, 1), tokens,
                      torch.full((n,), t), torch.full((n,), tokens.shape[1]),
                      reduction="none", zero_infinity=True)
    return cost / tokens.shape[1]


class Encoder(nn.Module):
    def __init__(self, n_mels, neurons):
        super().__init__()
        self.conv1 = nn.Conv1d(n_mels, neurons, 5, padding=2)
        self.conv2 = nn.Conv1d(neurons, neurons, 3, padding=1)
        self.norm = nn.LayerNorm(neurons)

    def forward(self, feats):
        x = F.leaky_relu(self.conv1(feats.transpose(1, 2)))
        x = F.leaky_relu(self.conv2(x))
        return self.norm(x.transpose(1, 2))


class ASR(Brain):
    def compute_forward(self, batch, stage):
        feats = batch["feats"]
        if stage == Stage.TRAIN:
            feats = feats + 0.05 * torch.randn_like(feats)
        return self.modules.output(self.modules.enc(feats)).log_softmax(-1)

    def compute_objectives(self, predictions, batch, stage):
        loss = ctc_per_utterance(predictions, batch["tokens"]).mean()
        self.ctc_metrics.append(batch["id"], predictions, batch["tokens"])
        if stage != Stage.TRAIN:
            self.ter.append(predictions, batch["tokens"])
        return loss

    def on_stage_start(self, stage, epoch):
        self.ctc_metrics = MetricStats(ctc_per_utterance)
        self.ter = TokenErrorRate()

    def on_stage_end(self, stage, stage_loss, epoch):
        summary = self.ctc_metrics.summarize()
        line = f"epoch {epoch} {stage.name}: loss {stage_loss:.3f}, worst {summary['max_id']} {summary['max_score']:.2f}"
        if stage == Stage.VALID:
            line += f", TER {self.ter.rate():.1f}%"
        print(line)


if __name__ == "__main__":
    torch.manual_seed(hparams["seed"])
    make = functools.partial(SyntheticDigits, batch_size=hparams["batch_size"], n_mels=hparams["n_mels"],
                             digits=hparams["digits"], frames_per_digit=hparams["frames_per_digit"])
    asr_brain = ASR(
        modules={"enc": Encoder(hparams["n_mels"], hparams["neurons"]),
                 "output": nn.Linear(hparams["neurons"], 11)},
        opt_class=lambda p: torch.optim.Adam(p, lr=hparams["lr"]),
        hparams=hparams,
    )
    asr_brain.fit(hparams["number_of_epochs"],
                  make(n_batches=hparams["train_batches"], seed=10),
                  make(n_batches=10, seed=11))
