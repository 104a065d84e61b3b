/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kmem.c - memory allocations: caller, size and GFP flags */
#include <ktrail/plugin.h>

static const struct kt_name migratetypes[] = {
	{ 0, "unmovable", 0 }, { 1, "movable", 0 }, { 2, "reclaimable", 0 }, { 3, "highatomic", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "migratetype", KT_TABLE_ENUM, migratetypes },
	{ NULL, 0, NULL },
};

/* Phrases for kernels without node come last. GFP bits differ by kernel: names come from the
 * recording. */
#define GETS "{call_site|symbol} gets {bytes_alloc|bytes}"
#define NODE "{!node=-1 , on node {node}}{?accounted , accounted}"

static const struct kt_phrase phrases[] = {
	{ "kmem/kmalloc*",
	  GETS " for {bytes_req|bytes} at {ptr|address} {gfp_flags|kernel}" NODE "{*}" },
	{ "kmem/kmalloc*", GETS " for {bytes_req|bytes} at {ptr|address} {gfp_flags|kernel}{*}" },
	{ "kmem/kmem_cache_alloc*",
	  GETS " of {name} at {ptr|address} {gfp_flags|kernel}" NODE "{*}" },
	{ "kmem/kmem_cache_alloc*", GETS " from a cache for {bytes_req|bytes} at {ptr|address} "
	  "{gfp_flags|kernel}" NODE "{*}" },
	{ "kmem/kmem_cache_alloc*", GETS " from a cache for {bytes_req|bytes} at {ptr|address} "
	  "{gfp_flags|kernel}{*}" },
	{ "kmem/kfree", "{call_site|symbol} frees {ptr|address}{*}" },
	{ "kmem/kmem_cache_free", "{call_site|symbol} frees {ptr|address} of {name}{*}" },
	{ "kmem/kmem_cache_free", "{call_site|symbol} frees {ptr|address}{*}" },
	{ "kmem/mm_page_alloc_extfrag", "falls back from {alloc_migratetype|migratetype} to "
	  "{fallback_migratetype|migratetype}, order {alloc_order} from {fallback_order}, page "
	  "{pfn|hex}{*}" },
	{ "kmem/mm_page_alloc_zone_locked",
	  "page {pfn|hex} of order {order}, {migratetype|migratetype}{*}" },
	{ "kmem/mm_page_alloc",
	  "page {pfn|hex} of order {order}, {migratetype|migratetype}, {gfp_flags|kernel}{*}" },
	{ "kmem/mm_page_free_batched", "page {pfn|hex}{*}" },
	{ "kmem/mm_page_free", "page {pfn|hex} of order {order}{*}" },
	{ "kmem/mm_page_pcpu_drain",
	  "page {pfn|hex} of order {order}, {migratetype|migratetype}{*}" },
	{ "kmem/rss_stat",
	  "{member|kernel} of mm {mm_id|hex} is {size|bytes}{!curr , of another task}{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "bytes", "kmem/kmalloc*", KT_COLUMN_BYTES, "bytes_alloc", "allocated" },
	{ "bytes", "kmem/kmem_cache_alloc*", KT_COLUMN_BYTES, "bytes_alloc", "allocated" },
	{ "requested", "kmem/*", KT_COLUMN_BYTES, "bytes_req", "asked for" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "kmem/*", NULL };

KT_PLUGIN(.name = "kmem", .summary = "memory by caller and size", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
