# gradwatch-corpus: kind=graph-chain
# holder: memory | self.memory | recogniser.memory | session.recogniser.memory
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(77)

from recogniser import Recogniser
from sensors import glove_frames


class Session:
    def __init__(self, lr=0.02):
        self.recogniser = Recogniser(channels=5, cells=7, gestures=4)
        self.lr = lr

    def descend(self):
        # plain SGD, written out by hand; the thing runs on boards without torch.optim
        params = [p for p in self.recogniser.parameters() if p.grad is not None]
        norm = torch.cat([p.grad.reshape(-1) for p in params]).norm()
        scale = self.lr * min(1.0, 1.0 / (norm.item() + 1e-6))
        for p in params:
            p.data = p.data - scale * p.grad
            p.grad = None

    def learn(self, frame, label):
        scores = self.recogniser.observe(frame)
        loss = torch.nn.functional.cross_entropy(scores, label)
        loss.backward(retain_graph=True)  # <- culprit
        self.descend()
        return loss.item()


if __name__ == "__main__":
    session = Session()
    acc = []
    for i, (frame, label) in enumerate(glove_frames(170)):
        acc.append(session.learn(frame, label))
        if len(acc) == 34:
            print(i + 1, sum(acc) / len(acc))
            acc.clear()
