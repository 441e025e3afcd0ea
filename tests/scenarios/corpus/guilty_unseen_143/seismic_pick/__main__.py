# gradwatch-corpus: kind=graph-held
# holder: catalog.rows | self.catalog.rows | session.catalog.rows | self.rows
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .catalog import Catalog
from .network import Picker
from .session import PickSession
from .traces import TraceFactory


def run():
    torch.manual_seed(77)
    catalog = Catalog()
    session = PickSession(Picker(), TraceFactory(seed=3), catalog)
    for sweep in range(10):
        session.sweep(events=36)
        print(f"sweep {sweep}: median residual {catalog.median_residual(last=36):.2f} samples")


run()
