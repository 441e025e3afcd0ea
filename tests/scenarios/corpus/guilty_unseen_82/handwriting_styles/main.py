# gradwatch-corpus: kind=second-backward
# holder: self._known | self._known[key] | styles._known | memo._known | cached | style | model.style_of._known
# first-bad: 57
# notice: 0
"""Online handwriting: next-stroke prediction conditioned on a writer's style vector."""
import torch

from nets import StrokeModel
from pens import Writers, schedule


def fit(model, writers, opt):
    for step, (kind, ids) in enumerate(schedule(len(writers), per_batch=2, rounds=7)):
        loss = 0.0
        for wid in ids:
            strokes = writers.sample(wid, n=6)
            ref = writers.reference(wid)
            # once enrolled, a writer's style is looked up
            style = model.style(ref) if kind == "enrolment" else model.style_of(wid, ref)
            loss = loss + model.nll(strokes, style)
        loss = loss / len(ids)
        opt.zero_grad()
        loss.backward()  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 15 == 0:
            print(f"{step:3d} {kind:10s} nll {loss.item():.4f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(88)
    writers = Writers(count=16)
    model = StrokeModel()
    fit(model, writers, torch.optim.Adam(model.parameters(), lr=3e-3))


if __name__ == "__main__":
    main()
