from typing import Callable, Dict

AGGREGATORS: Dict[str, Callable] = {}


def aggregator(name: str):
    def wrap(fn: Callable) -> Callable:
        AGGREGATORS[name] = fn
        return fn

    return wrap


def build_aggregator(name: str) -> Callable:
    if name not in AGGREGATORS:
        raise KeyError(f"unknown aggregator {name!r}, have {sorted(AGGREGATORS)}")
    return AGGREGATORS[name]
