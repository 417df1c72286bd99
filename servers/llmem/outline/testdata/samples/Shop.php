<?php

declare(strict_types=1);

namespace Shop\Core;

use Shop\Item;

const LIMIT = 5;
define('OTHER', 1);

/** Sells things. */
#[Attribute]
abstract class Store extends Base implements \Countable
{
    use Loggable;

    public const MAX = 10, MIN = 1;
    private static ?int $count = 0;
    protected array $items = [], $names;

    public function __construct(private readonly string $name, protected int $size = 1)
    {
    }

    abstract protected function close(): void;

    public static function &open(string $path): static
    {
        $f = function ($x) { return $x; };
        $g = fn($x) => $x;
        return new class extends Store {
            protected function close(): void {}
        };
    }
}

interface Listener
{
    const ID = 1;
    public function changed(Store $s): void;
}

trait Loggable
{
    private $log;
    public function log(string $m): void {}
}

enum State: string
{
    case Open = 'o';
    case Closed = 'c';

    public function label(): string { return ''; }
}

function helper(int ...$numbers): int
{
    function inner() {}
    return 1;
}
