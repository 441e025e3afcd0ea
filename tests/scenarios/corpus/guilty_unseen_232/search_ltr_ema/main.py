# gradwatch-corpus: kind=graph-held
# holder: self._smooth | tracker._smooth | self.tracker._smooth | tracker._smooth["listwise"]
# first-bad: 1
import torch

from callbacks import CallbackList, EarlyPlateau, ProgressPrinter
from data import QueryLog
from ranker import TwoTowerRanker
from tracker import ExperimentTracker


def listwise_loss(scores, gains):
    target = torch.softmax(gains, dim=1)
    return -(target * scores.log_softmax(dim=1)).sum(1).mean()


def ndcg(scores, gains, k=5):
    disc = 1.0 / torch.log2(torch.arange(k).float() + 2)
    picked = gains.gather(1, scores.topk(k, dim=1).indices)
    ideal = gains.topk(k, dim=1).values
    return ((picked * disc).sum(1) / (ideal * disc).sum(1).clamp_min(1e-6)).mean()


def main():
    torch.manual_seed(3)
    data = QueryLog(dim=20, docs=12, seed=3)
    model = TwoTowerRanker(20, 24)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    tracker = ExperimentTracker("ltr-nightly")
    hooks = CallbackList([ProgressPrinter(every=40), EarlyPlateau(patience=60)])
    for step in range(160):
        query, docs, gains = data.sample(16)
        scores = model(query, docs)
        loss = listwise_loss(scores, gains)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tracker.log("listwise", loss)  # <- culprit
        tracker.log("ndcg@5", ndcg(scores.detach(), gains))
        if hooks.after_step(step, tracker):
            break
    tracker.finish()


if __name__ == "__main__":
    main()
