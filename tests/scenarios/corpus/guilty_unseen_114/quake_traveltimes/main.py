# gradwatch-corpus: kind=second-backward
# holder: self._fields | tracer._fields | self._fields[key] | field | slowness | job.tracer._fields
# first-bad: 71
# notice: 0
import torch

from catalogue import Catalogue
from inversion import Inversion
from settings import Settings


def main():
    cfg = Settings()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    job = Inversion(cfg, Catalogue(cfg))
    for stage in cfg.stages:
        job.run_stage(stage)
    print("done, final rms residual %.4f s" % job.rms())


if __name__ == "__main__":
    main()
