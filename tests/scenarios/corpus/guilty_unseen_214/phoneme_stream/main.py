# gradwatch-corpus: kind=second-backward
# holder: self.ctx | self.model.ctx
# first-bad: 1
import torch
from torch import nn

from frames import SpeechStream
from tagger import StreamingTagger


class Recipe:
    def __init__(self, chunks_per_utt=12):
        torch.manual_seed(7)
        self.stream = SpeechStream()
        self.model = StreamingTagger(self.stream.n_mel, self.stream.n_phones)
        self.crit = nn.CrossEntropyLoss()
        self.optim = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.chunks_per_utt = chunks_per_utt

    def step(self):
        x, y = self.stream.next_chunk()
        logits = self.model(x)
        loss = self.crit(logits.flatten(0, 1), y.flatten())
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        fer = (logits.argmax(-1) != y).float().mean().item()
        return loss.item(), fer

    def run(self, n_utt=8):
        for utt in range(n_utt):
            self.model.start_utterance()
            scores = [self.step() for _ in range(self.chunks_per_utt)]
            mean_fer = sum(s[1] for s in scores) / len(scores)
            print(f"utt {utt:02d} loss {scores[-1][0]:.3f} FER {mean_fer:.3f}")


if __name__ == "__main__":
    Recipe().run()
