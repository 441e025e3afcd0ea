# gradwatch-corpus: kind=memory-climb
# holder: handler.buffer | log.handlers | log.handlers[0].buffer | logging.getLogger("tabular").handlers[0].buffer | handler | self.buffer
import torch

from .logs import open_log, shown_on_failure
from .net import ClickNet
from .source import clicks

torch.set_num_threads(1)
torch.manual_seed(9)


def train(log):
    net = ClickNet()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    hits = total = 0
    for step, (codes, y) in enumerate(clicks(steps=110, batch=512)):
        logits, emb = net(codes)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.debug("step %d loss %.4f embeddings %s", step, loss.item(), emb.detach())  # <- culprit
        hits += ((logits > 0) == (y > 0.5)).sum().item()
        total += len(y)
        if step % 25 == 0:
            log.info("accuracy %.3f after %d rows", hits / total, total)
    return hits / total


def main():
    log = open_log("tabular")
    with shown_on_failure(log):
        print(f"accuracy {train(log):.3f}")


main()
