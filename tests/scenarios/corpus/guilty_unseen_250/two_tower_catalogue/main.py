# gradwatch-corpus: kind=second-backward
# holder: self.vectors | catalogue.vectors | self.catalogue.vectors | fitter.catalogue.vectors
# first-bad: 1
import torch

from catalogue import Catalogue
from fitter import RetrievalFitter
from logs import ListeningLogs
from options import RetrievalOptions
from towers import ItemTower
from towers import ListenerTower


def main():
    options = RetrievalOptions()
    torch.manual_seed(options.seed)
    logs = ListeningLogs(options)
    item_tower = ItemTower(options)
    listener_tower = ListenerTower(options)
    catalogue = Catalogue(item_tower, logs.track_features, options.refresh_every)
    fitter = RetrievalFitter(options, listener_tower, catalogue)
    for step in range(options.steps):
        listeners, tracks = logs.sample()
        loss, recall = fitter.fit(step, listeners, tracks)
        if step % 10 == 0:
            print(f"step {step:3d} loss {loss:.3f} recall@10 {recall:.3f}")


if __name__ == "__main__":
    main()
